// Package operatortest runs parts of the operator in tests, against a real
// control plane and with exactly the rights that the chart gives: a right that
// is missing there fails the test.
//
//	func TestMain(m *testing.M) { os.Exit(testcluster.Main(m)) }
//
//	func TestTenant(t *testing.T) {
//		world := operatortest.New(t)
//		world.Start(t, tenants.New(world.Settings, clock.RealClock{}))
//		world.Admin.Create(t.Context(), …)
//		operatortest.Eventually(t, func() error { … })
//	}
//
// Every status that is written is linted as it passes by. The definitions and
// the rights are made once in the cluster that a package's tests share; objects
// of the cluster, such as KoraTenants, need names of their own in each test.
package operatortest
