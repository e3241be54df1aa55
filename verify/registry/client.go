package registry

import (
	"context"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"syscall"
	"time"
)

// Client reads registries within its limits. It is safe for many goroutines,
// which share its connections.
type Client struct {
	o       Options
	near    *http.Transport // to the registries that the user named
	far     *http.Transport // to where those send us: public addresses only
	public  func(netip.Addr) bool
	secrets secrets
	large   chan struct{} // see budget

	mu    sync.Mutex
	hosts map[string]*host
	slots map[string]chan struct{}
	local map[string]bool // addresses dialled that are not public
}

// New returns a client. It opens no connection by itself.
func New(o Options) *Client {
	c := &Client{o: o.complete(), public: public, hosts: map[string]*host{}, slots: map[string]chan struct{}{}, local: map[string]bool{}, large: make(chan struct{}, largeAnswers)}
	c.near = c.transport(c.dialNear)
	c.far = c.transport(c.dialer(c.refuse).DialContext)
	return c
}

// Close lets go of the connections.
func (c *Client) Close() {
	c.near.CloseIdleConnections()
	c.far.CloseIdleConnections()
}

// transport asks for no compression: what is unpacked without being asked for
// is what a small answer can grow by.
func (c *Client) transport(dial func(context.Context, string, string) (net.Conn, error)) *http.Transport {
	return &http.Transport{
		Proxy:                  http.ProxyFromEnvironment,
		DialContext:            dial,
		ForceAttemptHTTP2:      true,
		DisableCompression:     true,
		MaxIdleConnsPerHost:    c.o.Limits.Connections,
		MaxConnsPerHost:        c.o.Limits.Connections,
		IdleConnTimeout:        30 * time.Second,
		TLSHandshakeTimeout:    10 * time.Second,
		ResponseHeaderTimeout:  c.o.Limits.Idle,
		MaxResponseHeaderBytes: 64 << 10,
	}
}

func (c *Client) dialer(check func(address string) error) *net.Dialer {
	return &net.Dialer{
		Timeout: 10 * time.Second, KeepAlive: 30 * time.Second,
		Control: func(_, address string, _ syscall.RawConn) error { return check(address) },
	}
}

// dialNear remembers whether the user's own registry is on no public address:
// then it may send us to another such address.
func (c *Client) dialNear(ctx context.Context, network, address string) (net.Conn, error) {
	conn, err := c.dialer(func(to string) error { return link(address, to) }).DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	if at, err := netip.ParseAddrPort(conn.RemoteAddr().String()); err == nil && !c.public(at.Addr()) {
		c.mu.Lock()
		c.local[strings.ToLower(address)] = true
		c.mu.Unlock()
	}
	return conn, nil
}

// link keeps a name from leading to an address of a link, where clouds keep
// their metadata: no registry is there by name.
func link(named, to string) error {
	at, err := netip.ParseAddrPort(to)
	if err == nil && at.Addr().Unmap().IsLinkLocalUnicast() && named != to {
		return inward(to)
	}
	return nil
}

// dialledLocal reports whether a registry turned out to be on no public
// address.
func (c *Client) dialledLocal(name string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, scheme := range []string{"https", "http"} {
		if c.local[authority(&url.URL{Scheme: scheme, Host: name})] {
			return true
		}
	}
	return false
}

// refuse keeps a registry from using us to reach what only this machine can.
// It sees the address that is dialled, so that no name can hide one.
func (c *Client) refuse(address string) error {
	at, err := netip.ParseAddrPort(address)
	if err != nil || !c.public(at.Addr()) {
		return inward(address)
	}
	return nil
}

func inward(address string) error {
	return rule{
		"the registry sends us to " + visible(address) + ", an address that is not public, which kora does not follow",
		"name the registry that has the content itself; see who runs this one",
	}
}

// slot is the semaphore of the connections to one host.
func (c *Client) slot(host string) chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.slots[host] == nil {
		c.slots[host] = make(chan struct{}, c.o.Limits.Connections)
	}
	return c.slots[host]
}

func (c *Client) host(name string) *host {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.hosts[name] == nil {
		c.hosts[name] = newHost(c, name)
	}
	return c.hosts[name]
}
