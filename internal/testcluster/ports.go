package testcluster

import (
	"errors"
	"fmt"
	"net"
	"strconv"
	"syscall"
)

// errPortTaken is when a program could not listen where it was told to.
var errPortTaken = errors.New("the port is in use")

// places are the ports of one cluster, all on 127.0.0.1.
type places struct {
	etcdPort, peerPort int
	apiPort            int
	controllersPort    int
	schedulerPort      int
}

func (p places) server() string { return "https://" + loopback(p.apiPort) }

// loopback is the only address that anything listens on.
func loopback(port int) string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(port)) }

func choosePlaces(options Options) (places, error) {
	free, err := options.ports(5)
	if err != nil {
		return places{}, err
	}
	chosen := places{etcdPort: free[0], peerPort: free[1], apiPort: free[2], controllersPort: free[3], schedulerPort: free[4]}
	if options.Port == 0 {
		return chosen, nil
	}
	chosen.apiPort = options.Port
	listener, err := net.Listen("tcp", loopback(options.Port))
	if errors.Is(err, syscall.EADDRINUSE) {
		err = fmt.Errorf("port %d on 127.0.0.1: %w", options.Port, errPortTaken)
	}
	if err != nil {
		return places{}, err
	}
	return chosen, listener.Close()
}

// freePorts are n different ones: each is held until all are found.
func freePorts(n int) (ports []int, err error) {
	for range n {
		listener, err := net.Listen("tcp", loopback(0))
		if err != nil {
			return nil, fmt.Errorf("no free port: %w", err)
		}
		defer listener.Close()
		ports = append(ports, listener.Addr().(*net.TCPAddr).Port)
	}
	return ports, nil
}
