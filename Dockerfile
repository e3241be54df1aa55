# The images of a release, from a checkout: one for each binary.
#
#   docker build --target kora          -t ghcr.io/runkora/kora:1.4.0 .
#   docker build --target kora-operator -t ghcr.io/runkora/kora-operator:1.4.0 .
#
# buildah bud takes the same lines, and needs no daemon. Both hold a static binary,
# to the byte the one that make package packs with the same Go, and the
# certificates of public authorities, run as an unprivileged user, and need no
# writable file system besides /tmp.
#
# A tag may come to mean another image. To build twice from the same two, ask the
# registry once for their digests, and give them:
#
#   docker buildx imagetools inspect golang:1.26
#   docker buildx imagetools inspect gcr.io/distroless/static-debian12:nonroot
#   docker build --build-arg GOLANG=golang:1.26@sha256:DIGEST --build-arg BASE=gcr.io/distroless/static-debian12:nonroot@sha256:DIGEST --target kora .
ARG GOLANG=golang:1.26
ARG BASE=gcr.io/distroless/static-debian12:nonroot
FROM --platform=$BUILDPLATFORM $GOLANG AS build
ARG TARGETOS
ARG TARGETARCH
WORKDIR /src
ENV CGO_ENABLED=0 GOFLAGS=-buildvcs=false
COPY go.mod go.sum ./
COPY tools/gitops-engine tools/gitops-engine
RUN go mod download
COPY . .
RUN GOOS=$TARGETOS GOARCH=$TARGETARCH go build -trimpath -ldflags='-s -w' -o /out/kora ./plugin && \
    GOOS=$TARGETOS GOARCH=$TARGETARCH go build -trimpath -ldflags='-s -w' -o /out/kora-operator ./operator

FROM $BASE AS kora-operator
COPY --from=build /out/kora-operator /usr/local/bin/kora-operator
USER 65532:65532
ENTRYPOINT ["/usr/local/bin/kora-operator"]

FROM $BASE AS kora
COPY --from=build /out/kora /usr/local/bin/kora
USER 65532:65532
ENTRYPOINT ["/usr/local/bin/kora"]
