package main

import (
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"
)

// runMeasured runs a program and gives the most memory it held, in bytes; 0 where
// the kernel tells none. The figure that wait gives is no use: Linux counts in it
// the memory of whoever started the program, and a test under the race detector
// holds gigabytes. What the kernel keeps of the program alone ends with it, so it
// is read while the program runs.
func runMeasured(cmd *exec.Cmd) (int64, error) {
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	ended, peak := make(chan struct{}), make(chan int64)
	go func() { peak <- watch(cmd.Process.Pid, ended) }()
	err := cmd.Wait()
	close(ended)
	return <-peak, err
}

func watch(process int, ended <-chan struct{}) (peak int64) {
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	for {
		peak = max(peak, highWater(process))
		select {
		case <-ended:
			return peak
		case <-tick.C:
		}
	}
}

func highWater(process int) int64 {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", process))
	_, rest, _ := strings.Cut(string(text), "VmHWM:")
	figure, _, _ := strings.Cut(strings.TrimSpace(rest), " ")
	kib, _ := strconv.ParseInt(figure, 10, 64)
	return kib << 10
}

// The measure is of the program that runs, whatever the test itself holds.
func TestMemoryIsTheProgramsOwn(t *testing.T) {
	held := make([]byte, 256<<20)
	for i := 0; i < len(held); i += 4096 {
		held[i] = 1
	}
	got, err := runMeasured(exec.Command("sh", "-c", "sleep 0.2"))
	if err != nil || got > 64<<20 || (got == 0 && highWater(os.Getpid()) > 0) {
		t.Errorf("%d MiB: %v", got>>20, err)
	}
	if own := highWater(os.Getpid()); own > 0 && own < 256<<20 {
		t.Errorf("the test itself holds %d MiB", own>>20)
	}
	_ = held[0]
}
