package services

import (
	"encoding/binary"
	"io"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5/pgproto3"
)

// greeted keeps the beginning of what PostgreSQL says, which is how it wants the
// login: the library says of a way that it does not have only that.
type greeted struct {
	io.Reader
	first []byte
}

// longest is more than any request for a login has.
const longest = 256

// Read is of io.Reader.
func (g *greeted) Read(into []byte) (int, error) {
	n, err := g.Reader.Read(into)
	g.first = append(g.first, into[:min(n, longest-len(g.first))]...)
	return n, err
}

// methods are the ways of a login by their code in the protocol, as pg_hba.conf calls
// them.
var methods = map[uint32]string{1: "krb4", 2: "krb5", 4: "crypt", pgproto3.AuthTypeSCMCreds: "scm", pgproto3.AuthTypeGSS: "gss", pgproto3.AuthTypeSSPI: "sspi"}

// method is the way of a login that the server wants and kora does not have, empty
// where it has it, or where the server does not speak of one.
func (g *greeted) method() string {
	if g == nil || len(g.first) < 9 || g.first[0] != 'R' {
		return ""
	}
	size, code := binary.BigEndian.Uint32(g.first[1:]), binary.BigEndian.Uint32(g.first[5:])
	switch {
	case size < 8 || size >= longest || code > longest:
		return ""
	case code == pgproto3.AuthTypeSASL:
		return sasl(string(g.first[9:min(len(g.first), int(size)+1)]))
	case code == pgproto3.AuthTypeOk, code == pgproto3.AuthTypeCleartextPassword, code == pgproto3.AuthTypeMD5Password:
		return ""
	case methods[code] != "":
		return methods[code]
	}
	return "number " + strconv.Itoa(int(code))
}

func sasl(mechanisms string) string {
	switch {
	case strings.HasPrefix(mechanisms, "SCRAM-SHA-256\x00"), strings.Contains(mechanisms, "\x00SCRAM-SHA-256\x00"):
		return ""
	case strings.HasPrefix(mechanisms, "OAUTHBEARER\x00"):
		return "oauth"
	}
	return "another one of SASL"
}
