-- How far a child is: while it syncs, its hooks included, it is not ready, and
-- a sync that failed is not healthy however its old pods are.
local status = obj.status or {}
local operation = status.operationState or {}
local health = status.health or {}
if operation.phase == "Running" or operation.phase == "Terminating" then
  return { status = "Progressing", message = "a sync is going on" }
end
if operation.phase == "Failed" or operation.phase == "Error" then
  return { status = "Degraded", message = operation.message or "the last sync failed" }
end
if health.status == nil then
  return { status = "Progressing", message = "not looked at yet" }
end
return { status = health.status, message = health.message or "" }
