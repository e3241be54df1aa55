-- How far a child is: out of date until its present source was synced, not ready
-- while it syncs, its hooks included, and a sync that failed is not healthy however
-- its old pods are. Drift from what was synced is no reason to wait: nothing may
-- come to undo it.
local status = obj.status or {}
local operation = status.operationState or {}
local health = status.health or {}
local sync = status.sync or {}

-- Argo CD leaves out of its copies of a source what is empty.
local function empty(v)
  return v == nil or v == "" or v == false or v == 0 or (type(v) == "table" and next(v) == nil)
end

local function within(a, b, same)
  for key, value in pairs(a) do
    if not same(value, b[key]) then
      return false
    end
  end
  return true
end

local function same(a, b)
  if type(a) == "table" and type(b) == "table" then
    return within(a, b, same) and within(b, a, same)
  end
  if type(a) == "table" and b == nil then
    return within(a, {}, same)
  end
  if type(b) == "table" and a == nil then
    return within(b, {}, same)
  end
  return a == b or (empty(a) and empty(b))
end

local function sources(of)
  if not empty(of.sources) then
    return of.sources
  end
  return { of.source }
end

-- The source changed, and was not synced yet, in the state that the revision has now.
local function outdated()
  local wanted = sources(obj.spec or {})
  if sync.comparedTo ~= nil and not same(sources(sync.comparedTo), wanted) then
    return true
  end
  local synced = operation.syncResult
  if sync.status ~= "OutOfSync" or (synced == nil and operation.phase ~= nil) then
    return false
  end
  return synced == nil or not same(sources(synced), wanted)
    or not same(sync.revision, synced.revision) or not same(sync.revisions, synced.revisions)
end

if operation.phase == "Running" or operation.phase == "Terminating" then
  return { status = "Progressing", message = "a sync is going on" }
end
if outdated() then
  return { status = "Progressing", message = "the present source is not synced yet" }
end
if operation.phase == "Failed" or operation.phase == "Error" then
  return { status = "Degraded", message = operation.message or "the last sync failed" }
end
if health.status == nil then
  return { status = "Progressing", message = "not looked at yet" }
end
return { status = health.status, message = health.message or "" }
