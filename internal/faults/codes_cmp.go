package faults

// Codes of kora as a config management plugin of Argo CD (R43).
const (
	PluginSetting    Code = "KORA-M001"
	PluginParameters Code = "KORA-M002"
	PluginVariable   Code = "KORA-M003"
	PluginFile       Code = "KORA-M004"
	PluginOutside    Code = "KORA-M005"
	PluginRegistry   Code = "KORA-M006"
	PluginUnsigned   Code = "KORA-M007"
	PluginEmpty      Code = "KORA-M008"
	PluginStopped    Code = "KORA-M009"
	PluginClash      Code = "KORA-M010"
	PluginUnread     Code = "KORA-M011"
	PluginEndless    Code = "KORA-M012"
)
