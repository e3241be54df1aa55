# The images of a release, from a checkout: one for each binary.
#
#   docker build --target kora          -t ghcr.io/runkora/kora:1.4.0 .
#   docker build --target kora-operator -t ghcr.io/runkora/kora-operator:1.4.0 .
#
# buildah bud takes the same lines, and needs no daemon. Both hold a static binary,
# to the byte the one that make package packs with the same Go, and the
# certificates of public authorities, run as an unprivileged user, and need no
# writable file system besides /tmp.
FROM --platform=$BUILDPLATFORM golang:1.26 AS build
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

FROM gcr.io/distroless/static-debian12:nonroot AS kora-operator
COPY --from=build /out/kora-operator /usr/local/bin/kora-operator
USER 65532:65532
ENTRYPOINT ["/usr/local/bin/kora-operator"]

FROM gcr.io/distroless/static-debian12:nonroot AS kora
COPY --from=build /out/kora /usr/local/bin/kora
USER 65532:65532
ENTRYPOINT ["/usr/local/bin/kora"]
