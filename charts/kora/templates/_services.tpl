{{/*
kora.services is the table of the platform's services: one entry a row of "The
platform services, decided". Every template that makes an object per service
walks it, so a new service is a new entry here and its block in the values.

  workload   the name of its Deployment, Service and ServiceAccount, and of its image
  host       frontend or api: the public host that its routes are on
  routes     prefixes of paths on that host, each also as the whole path
  secrets    keys of the platform's Secrets that it gets as variables (R22)
  modules    config modules, each a file under /etc/kora/config (R23)
  api        it talks to the Kubernetes API, and so has a token
  outbound   it talks to hosts that only tenants' settings name, on 443
  probe      the port that is probed: http asks /healthz and /readyz
*/}}
{{- define "kora.services" -}}
frontend:
  workload: kora-frontend
  ports: [{ name: http, port: 3000, protocol: http }]
  probe: { port: http, kind: http }
  host: frontend
  routes: [/]
  secrets: [BFF_SESSION_SECRET, REDIS_PASSWORD]
  modules: [internal/frontend, internal/platform/branding, internal/platform/identity, internal/platform/observability, internal/platform/redis]
agents:
  workload: kora-agents
  ports: [{ name: http, port: 8080, protocol: http }]
  probe: { port: http, kind: http }
  host: api
  routes: [/v1/agents, /v1/environments]
  secrets: [DB_PASSWORD, REDIS_PASSWORD]
  modules: [internal/agents, internal/platform/branding, internal/platform/identity, internal/platform/mesh, internal/platform/observability, internal/platform/postgres, internal/platform/redis]
  api: true
policyService:
  workload: kora-policy
  ports: [{ name: http, port: 8080, protocol: http }]
  probe: { port: http, kind: http }
  host: api
  routes: [/v1/policy]
  secrets: [DB_PASSWORD]
  modules: [internal/platform/identity, internal/platform/observability, internal/platform/postgres, internal/policy]
identityService:
  workload: kora-identity
  ports: [{ name: http, port: 8080, protocol: http }]
  probe: { port: http, kind: http }
  host: api
  routes: [/.well-known, /oauth]
  health: true
  secrets: [DB_PASSWORD, KORA_TOKEN_SIGNING_KEY, REDIS_PASSWORD]
  modules: [internal/platform/branding, internal/platform/identity, internal/platform/observability, internal/platform/postgres, internal/platform/redis]
  api: true
  outbound: true
inferenceService:
  workload: kora-inference
  ports: [{ name: http, port: 8080, protocol: http }]
  probe: { port: http, kind: http }
  host: api
  routes: [/v1/inference]
  secrets: [REDIS_PASSWORD]
  modules: [internal/inference, internal/platform/identity, internal/platform/observability, internal/platform/redis]
  api: true
  outbound: true
mcpService:
  workload: kora-mcp
  ports: [{ name: http, port: 8080, protocol: http }]
  probe: { port: http, kind: http }
  host: api
  routes: [/mcp]
  secrets: [REDIS_PASSWORD]
  modules: [internal/mcp, internal/platform/branding, internal/platform/identity, internal/platform/observability, internal/platform/redis]
  api: true
  outbound: true
triggersService:
  workload: kora-triggers
  ports: [{ name: http, port: 8080, protocol: http }]
  probe: { port: http, kind: http }
  host: api
  routes: [/v1/triggers]
  secrets: [DB_PASSWORD, KORA_TRIGGERS_ENCRYPTION_KEY]
  modules: [internal/platform/branding, internal/platform/identity, internal/platform/observability, internal/platform/postgres, internal/triggers]
egressGateway:
  workload: kora-egress
  ports: [{ name: tcp-egress, port: 8443, protocol: tcp }]
  probe: { port: tcp-egress, kind: tcp }
  modules: [internal/egress, internal/platform/identity, internal/platform/mesh, internal/platform/observability]
  api: true
  outbound: true
operator:
  workload: kora-operator
  ports:
    - { name: webhooks, port: 9443, servicePort: 443, protocol: https }
    - { name: probes, port: 8081 }
    - { name: metrics, port: 8082, servicePort: 8082, protocol: http }
  probe: { port: probes, kind: http }
  modules: [internal/operator, internal/platform/identity, internal/platform/mesh, internal/platform/observability]
  api: true
{{- end }}
