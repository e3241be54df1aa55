package cmp

import (
	"errors"
	"io/fs"
	"os"

	"github.com/runkora/kora/internal/faults"
)

// The files of an application, in its folder.
const (
	ValuesFile = "kora.yaml"
	ThemeFile  = "theme.yaml"
	PatchesDir = "patches"
)

// Discover reports whether a folder is an application of kora's: it holds the
// file kora.yaml, and not a link that leads elsewhere.
func Discover(root *os.Root) bool {
	info, err := root.Stat(ValuesFile)
	return err == nil && info.Mode().IsRegular()
}

// plain refuses what is no regular file within the folder; nothing is opened.
// What is not there is a fault too, but where it may be missing.
func plain(root *os.Root, name string, optional bool) (bool, faults.List) {
	info, err := root.Stat(name)
	switch {
	case optional && errors.Is(err, fs.ErrNotExist) && !linked(root, name):
		return false, nil
	case err != nil:
		return false, faults.List{outside(name, err)}
	case !info.Mode().IsRegular():
		f := fault(faults.PluginFile, name, "this is no plain file")
		f.Found, f.Expected = kindOf(info.Mode()), "a file"
		return false, faults.List{f}
	}
	return true, nil
}

// folder is plain for a folder.
func folder(root *os.Root, name string, optional bool) (bool, faults.List) {
	info, err := root.Stat(name)
	switch {
	case optional && errors.Is(err, fs.ErrNotExist) && !linked(root, name):
		return false, nil
	case err != nil:
		return false, faults.List{outside(name, err)}
	case !info.IsDir():
		f := fault(faults.PluginFile, name, "this is no folder")
		f.Found, f.Expected = kindOf(info.Mode()), "a folder"
		f.Fix = "make it a folder with a file for each patch, or remove it"
		return false, faults.List{f}
	}
	return true, nil
}

// linked is true of a link, also of one that leads nowhere.
func linked(root *os.Root, name string) bool {
	_, err := root.Lstat(name)
	return err == nil
}

// outside says why a path cannot be had: there is nothing, it may not be read,
// or a link leads out of the folder.
func outside(name string, err error) faults.Fault {
	if p := (*fs.PathError)(nil); errors.As(err, &p) {
		err = p.Err
	}
	if errors.Is(err, fs.ErrNotExist) {
		f := fault(faults.PluginFile, name, "the application's folder has no such file")
		f.Fix = "commit it, and check the application's path"
		return f
	}
	if errors.Is(err, fs.ErrPermission) {
		return fault(faults.PluginFile, name, "the file may not be read")
	}
	f := fault(faults.PluginOutside, name, "the path does not stay in the application's folder: "+err.Error())
	f.Fix = "replace the link by a copy of what it leads to"
	return f
}

func kindOf(mode fs.FileMode) string {
	switch {
	case mode.IsDir():
		return "a folder"
	case mode&fs.ModeNamedPipe != 0:
		return "a named pipe"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	case mode&fs.ModeDevice != 0:
		return "a device"
	}
	return "a file"
}
