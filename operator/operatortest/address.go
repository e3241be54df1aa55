package operatortest

import (
	"fmt"
	"math/rand/v2"
	"net"
	"strconv"
	"testing"
)

// Address is one of this machine that nobody listens on at the ports: operators have
// the chart's ports, and other tests run beside this one. Those of Services, from
// 127.96 on, are not among them.
func Address(t testing.TB, ports ...int) string {
	t.Helper()
	for range 20 {
		address := fmt.Sprintf("127.%d.%d.%d", 1+rand.IntN(90), rand.IntN(256), 1+rand.IntN(254))
		free := true
		for _, port := range ports {
			l, err := net.Listen("tcp", net.JoinHostPort(address, strconv.Itoa(port)))
			if free = free && err == nil; err == nil {
				_ = l.Close()
			}
		}
		if free {
			return address
		}
	}
	t.Fatal("no free address of this machine")
	return ""
}
