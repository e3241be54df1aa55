package testcluster

import (
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Provisioner names who binds claims here. A test may make more classes of it;
// it takes every access mode.
const Provisioner = "testcluster.runkora.io/volume"

// The storage classes that every cluster has.
const (
	DefaultStorageClass = "standard" // the cluster's default
	SharedStorageClass  = "shared"   // for what names one, as ReadWriteMany does
)

func storageClass(name string) *storagev1.StorageClass {
	class := &storagev1.StorageClass{ObjectMeta: metav1.ObjectMeta{Name: name}, Provisioner: Provisioner}
	if name == DefaultStorageClass {
		class.Annotations = map[string]string{"storageclass.kubernetes.io/is-default-class": "true"}
	}
	return class
}
