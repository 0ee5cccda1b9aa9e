{{- define "punchcard.name" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name }}{{ else }}{{ .Release.Name }}-{{ .Chart.Name }}{{ end }}
{{- end }}

{{- define "punchcard.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "punchcard.labels" -}}
{{ include "punchcard.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{- define "punchcard.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{- /* With PostgreSQL it is "true", with SQLite empty. */}}
{{- define "punchcard.postgres" -}}
{{- if has "database" .Values.secret.keys }}true{{ end }}
{{- end }}

{{- define "punchcard.podSecurity" -}}
runAsNonRoot: true
runAsUser: 65532
runAsGroup: 65532
fsGroup: 65532
# Kubernetes changes the rights of a volume once, not those of the database at each start.
fsGroupChangePolicy: OnRootMismatch
seccompProfile: {type: RuntimeDefault}
{{- end }}

{{- define "punchcard.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: {drop: [ALL]}
{{- end }}

{{- define "punchcard.secretVariables" -}}
{{- range .Values.secret.keys }}
- {name: PUNCHCARD_{{ . | replace "-" "_" | upper }}_FILE, value: /secrets/{{ . }}}
{{- end }}
{{- end }}

{{- define "punchcard.secretVolume" -}}
name: secrets
secret:
  secretName: {{ required "secret.name is needed for secret.keys" .Values.secret.name | quote }}
  items:
    {{- range .Values.secret.keys }}
    - {key: {{ . }}, path: {{ . }}}
    {{- end }}
{{- end }}
