package attacks

import (
	"time"

	bundlepb "github.com/sigstore/protobuf-specs/gen/pb-go/bundle/v1"

	"github.com/runkora/kora/verify"
	"github.com/runkora/kora/verify/sigstoretest"
)

// times are signatures at a time that is unknown, wrong, or outside what the
// trust root says of the keys.
func times(s *sigstoretest.Sigstore) []Case {
	now := sigstoretest.Now
	hour := sigstoretest.Shape{Rekor2: true, Timestamp: true}
	bad := func(name, says string, shape sigstoretest.Shape) Case {
		return Case{Name: name, Want: verify.BadEvidence, Says: says, Evidence: s.SignBlob(Kora, Chart, shape)}
	}
	rooted := func(name string, shape sigstoretest.Shape, period func(*sigstoretest.Periods)) Case {
		return Case{Name: name, Want: verify.BadEvidence, Evidence: s.SignBlob(Kora, Chart, shape), Root: s.TrustedRootIn(period)}
	}
	before := sigstoretest.Period{Start: now.AddDate(-3, 0, 0), End: now.AddDate(-1, 0, 0)}
	after := sigstoretest.Period{Start: now.AddDate(0, 0, 1)}
	stamped := func(edit func(b *bundlepb.Bundle, sig []byte)) func(*bundlepb.Bundle) {
		return func(b *bundlepb.Bundle) { edit(b, b.GetMessageSignature().GetSignature()) }
	}
	stamp := func(b *bundlepb.Bundle, token []byte) {
		b.VerificationMaterial.TimestampVerificationData.Rfc3161Timestamps[0].SignedTimestamp = token
	}
	proofAlone := sigstoretest.Shape{NoPromise: true, Timestamp: true}
	edit := func(shape sigstoretest.Shape, e func(b *bundlepb.Bundle, sig []byte)) sigstoretest.Shape {
		shape.Edit = stamped(e)
		return shape
	}
	return []Case{
		bad("no time: a proof without promise and timestamp", "timestamp", sigstoretest.Shape{NoPromise: true}),
		bad("no time: the second log without a timestamp", "timestamp", sigstoretest.Shape{Rekor2: true}),
		bad("no log entry", "no entry in a transparency log", sigstoretest.Shape{NoLog: true, Timestamp: true}),
		bad("a log entry of the future", "of the future", sigstoretest.Shape{At: sigstoretest.Future}),
		bad("a timestamp of the future", "of the future", sigstoretest.Shape{At: sigstoretest.Future, Rekor2: true, Timestamp: true}),
		{Name: "a timestamp of the future, and an instance without logs", Want: verify.BadEvidence, Says: "of the future", Root: s.TrustedRootWithoutLogs(), Evidence: s.SignBlob(Kora, Chart, sigstoretest.Shape{At: sigstoretest.Future, NoLog: true, NoSCT: true, Timestamp: true})},
		bad("no promise of the certificate log", "certificate timestamp", sigstoretest.Shape{NoSCT: true}),
		bad("a promise of the certificate log by a stranger", "certificate timestamp", sigstoretest.Shape{OtherCTKey: true}),
		bad("signed after the certificate's end", "", sigstoretest.Shape{CertificateFrom: now.Add(-11 * time.Minute)}),
		bad("signed before the certificate's beginning", "", sigstoretest.Shape{CertificateFrom: now.Add(time.Minute)}),
		bad("CVE-2026-24122: signed after the end of the issuing authority", "leaf certificate", sigstoretest.Shape{At: sigstoretest.AuthorityEnd.Add(5 * time.Minute), CertificateFrom: sigstoretest.AuthorityEnd.Add(-time.Minute)}),
		rooted("an authority that is no longer trusted", sigstoretest.Shape{}, func(p *sigstoretest.Periods) { p.CA = before }),
		rooted("an authority that is not trusted yet", sigstoretest.Shape{}, func(p *sigstoretest.Periods) { p.CA = after }),
		rooted("a certificate log that is no longer trusted", sigstoretest.Shape{}, func(p *sigstoretest.Periods) { p.CT = before }),
		rooted("a log that is no longer trusted, by its promise", sigstoretest.Shape{}, func(p *sigstoretest.Periods) { p.Rekor = before }),
		rooted("a log that is not trusted yet, by its promise", sigstoretest.Shape{}, func(p *sigstoretest.Periods) { p.Rekor = after }),
		rooted("a log that is no longer trusted, by its proof", proofAlone, func(p *sigstoretest.Periods) { p.Rekor = before }),
		rooted("the second log when it is no longer trusted", hour, func(p *sigstoretest.Periods) { p.Rekor = before }),
		rooted("the second log when it is not trusted yet", hour, func(p *sigstoretest.Periods) { p.Rekor = after }),
		rooted("a timestamp authority that is no longer trusted", hour, func(p *sigstoretest.Periods) { p.TSA = before }),
		rooted("a timestamp authority that is not trusted yet", hour, func(p *sigstoretest.Periods) { p.TSA = after }),
		bad("a timestamp of another signature", "", edit(hour, func(b *bundlepb.Bundle, _ []byte) { stamp(b, s.Stamp([]byte("another"), now)) })),
		bad("a timestamp after the certificate's end", "", edit(hour, func(b *bundlepb.Bundle, sig []byte) { stamp(b, s.Stamp(sig, now.Add(time.Hour))) })),
		bad("a timestamp before the certificate's beginning", "", edit(hour, func(b *bundlepb.Bundle, sig []byte) { stamp(b, s.Stamp(sig, now.Add(-time.Hour))) })),
		bad("a timestamp of a stranger", "", edit(hour, func(b *bundlepb.Bundle, sig []byte) { stamp(b, sigstoretest.New(s.TB()).Stamp(sig, now)) })),
		bad("CVE-2026-39984: a stranger's timestamp with the trusted certificate beside", "", edit(hour, func(b *bundlepb.Bundle, sig []byte) { stamp(b, s.StampByStranger(sig, now)) })),
		bad("CVE-2025-66564: a timestamp that is junk", "", edit(hour, func(b *bundlepb.Bundle, _ []byte) { stamp(b, make([]byte, 1<<20)) })),
		bad("a timestamp cut short", "", edit(hour, func(b *bundlepb.Bundle, sig []byte) { stamp(b, s.Stamp(sig, now)[:100]) })),
		{
			Name: "an instance without logs, and no timestamp", Want: verify.BadEvidence, Says: "timestamp", Root: s.TrustedRootWithoutLogs(),
			Evidence: s.SignBlob(Kora, Chart, sigstoretest.Shape{NoLog: true, NoSCT: true}),
		},
		{
			Name: "an instance with logs is not weakened by one without", Want: verify.BadEvidence, Says: "log",
			Root:     append(append(sigstoretest.New(s.TB()).TrustedRootWithoutLogs(), '\n'), s.TrustedRoot()...),
			Evidence: s.SignBlob(Kora, Chart, sigstoretest.Shape{NoLog: true, NoSCT: true, Timestamp: true}),
		},
	}
}
