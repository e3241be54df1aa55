package services

import (
	"bytes"
	"encoding/binary"
	"io"
	"net"
	"runtime"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgproto3"

	"github.com/runkora/kora/operator/preflight"

	"github.com/runkora/kora/operator/preflight/loopback"
)

func at(port int) preflight.Endpoint {
	return preflight.Endpoint{Host: "127.0.0.1", Port: port, Database: "kora", User: "kora", TLS: "disable"}
}

// most is what one hostile server may make this program allocate, in bytes.
const most = 16 << 20

// allocated is how much a run makes in all, whether it keeps it or not.
func allocated(run func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	run()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// flood writes a beginning and then the same for ever.
func flood(first string, then []byte) func(net.Conn) {
	return func(conn net.Conn) {
		go func() { _, _ = io.Copy(io.Discard, conn) }()
		_, err := conn.Write([]byte(first))
		for err == nil {
			_, err = conn.Write(then)
		}
	}
}

func message(kind byte, length uint32) string {
	return string(binary.BigEndian.AppendUint32([]byte{kind}, length))
}

// R55: no announcement of PostgreSQL's, and no flood, makes room for more than
// an answer takes.
func TestPostgresAnnouncesMuch(t *testing.T) {
	notice, err := (&pgproto3.NoticeResponse{Severity: "NOTICE", Message: strings.Repeat("x", 1000)}).Encode(nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, server := range map[string]func(net.Conn){
		"an error of two gigabytes":  flood(message('E', 0x7ffffff0), make([]byte, 1<<16)),
		"a login of two gigabytes":   flood(message('R', 0x7ffffff0), make([]byte, 1<<16)),
		"notices without an end":     flood("", notice),
		"a row of two gigabytes":     flood(message('R', 8)+"\x00\x00\x00\x00"+message('Z', 5)+"I"+message('D', 0x7ffffff0), make([]byte, 1<<16)),
		"a text that nobody asked":   flood("<html>", []byte(strings.Repeat("<p>", 1000))),
		"a negative length":          flood(message('E', 0xfffffff0), make([]byte, 1<<16)),
		"an error of many fields":    flood(message('E', messageLimit), bytes.Repeat([]byte("Mx\x00"), 1<<12)),
		"parameters without an end":  flood(message('R', 8)+"\x00\x00\x00\x00", []byte(message('S', 8)+"a\x00b\x00")),
		"an unknown kind of message": flood("\x01\x02\x03\x04\x05", []byte("junk")),
	} {
		t.Run(name, func(t *testing.T) {
			port := loopback.Serve(t, server)
			made := allocated(func() {
				if got := Postgres(t.Context(), at(port), planted); got.Missing == "" && got.Value.Refused == "" {
					t.Errorf("%+v", got)
				}
			})
			if made > most {
				t.Errorf("%d bytes", made)
			}
		})
	}
}

// R55: the same of Redis.
func TestRedisAnnouncesMuch(t *testing.T) {
	for name, answer := range map[string]string{
		"a map": "%999999999\r\n", "a list": "*999999999\r\n", "a set": "~999999999\r\n", "a push": ">999999999\r\n", "an attribute": "|999999999\r\n",
		"a text": "$2000000000\r\n", "a verbatim text": "=2000000000\r\n", "a long error": "!2000000000\r\n", "with a sign": "%+999999999\r\n",
		"with zeros": "%" + strings.Repeat("0", 40) + "999999999\r\n", "lists in lists": "*64\r\n", "maps in maps": "%64\r\n", "a line without an end": "+" + strings.Repeat("x", 1000),
	} {
		t.Run(name, func(t *testing.T) {
			port := loopback.Serve(t, flood(answer, []byte(strings.Repeat(answer, 100))))
			made := allocated(func() {
				if got := Redis(t.Context(), at(port), planted, ""); got.Missing == "" && got.Value.Refused == "" {
					t.Errorf("%+v", got)
				}
			})
			if made > most {
				t.Errorf("%d bytes", made)
			}
		})
	}
}

// R55: what answers is told as what it is: a web server is no PostgreSQL that
// lacks TLS, and a server that is not ready was not asked.
func TestWhatAnswersIsTold(t *testing.T) {
	web := func(conn net.Conn) {
		_, _ = io.ReadFull(conn, make([]byte, 8))
		_, _ = io.WriteString(conn, "HTTP/1.1 400 Bad Request\r\nContent-Type: text/html\r\n\r\n<html></html>")
	}
	for _, mode := range []string{"disable", "require"} {
		e := at(loopback.Serve(t, web))
		e.TLS = mode
		if got := Postgres(t.Context(), e, planted); !got.Value.Foreign || !strings.Contains(got.Value.Refused, "does not speak PostgreSQL's protocol") {
			t.Errorf("%s: %+v", mode, got)
		}
	}
	for code, want := range map[string]string{"53300": "too many connections", "57P03": "starts, or stops", "XX000": "failed by itself"} {
		refuse := &pgproto3.ErrorResponse{Severity: "FATAL", Code: code, Message: "sorry"}
		if got := asked(t, loopback.Serve(t, database{refuse: refuse}.handle), "disable"); !strings.Contains(got.Missing, want) || got.Value.Refused != "" {
			t.Errorf("%s: %+v", code, got)
		}
	}
	for said, want := range map[string]string{"LOADING Redis is loading the dataset in memory": "reads its data", "BUSY Redis is busy": "runs a script", "ERR max number of clients reached": "too many connections"} {
		if got := redisAt(t, loopback.Serve(t, says("-"+said+"\r\n")), "disable", planted, ""); !strings.Contains(got.Missing, want) || got.Value.Refused != "" {
			t.Errorf("%s: %+v", said, got)
		}
	}
	if got := redisAt(t, loopback.Serve(t, says("$-1\r\n")), "disable", planted, ""); !got.Value.Foreign || !strings.Contains(got.Value.Refused, "does not speak Redis' protocol") {
		t.Errorf("%+v", got)
	}
}
