// Package lock is the file kora.lock: which digest each chart and image of a
// release had when it was verified, who had signed it, and when (R49). Whoever
// deploys pins by it, and `kora verify --lock kora.lock` tells what has moved
// since. It is data: being in a lock proves nothing by itself.
package lock
