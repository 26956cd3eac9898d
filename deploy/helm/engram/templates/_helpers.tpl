{{- define "engram.labels" -}}
app.kubernetes.io/name: engram
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .role }}
{{- end }}

{{- define "engram.name" -}}
{{ .root.Release.Name }}-{{ .role }}
{{- end }}

{{- /* The pods of one role. .root is the scope of the chart, .role is web or worker. */ -}}
{{- define "engram.deployment" -}}
{{- $values := .root.Values -}}
{{- $own := get $values .role -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ include "engram.name" . }}
  labels:
    {{- include "engram.labels" . | nindent 4 }}
spec:
  {{- if not $own.autoscaling.enabled }}
  replicas: {{ $own.replicas }}
  {{- end }}
  selector:
    matchLabels:
      {{- include "engram.labels" . | nindent 6 }}
  # One by one: a pod is stopped only after its replacement is ready.
  strategy:
    rollingUpdate: { maxSurge: 1, maxUnavailable: 0 }
  template:
    metadata:
      labels:
        {{- include "engram.labels" . | nindent 8 }}
    spec:
      terminationGracePeriodSeconds: {{ add $values.drainSeconds $values.stopSeconds 10 }}
      automountServiceAccountToken: {{ ne $values.serviceAccount.name "" }}
      {{- with $values.serviceAccount.name }}
      serviceAccountName: {{ . }}
      {{- end }}
      {{- with $values.pullSecrets }}
      imagePullSecrets:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      securityContext:
        runAsNonRoot: true
        runAsUser: 1000
        runAsGroup: 1000
        fsGroup: 1000
        seccompProfile: { type: RuntimeDefault }
      topologySpreadConstraints:
        - maxSkew: 1
          topologyKey: kubernetes.io/hostname
          whenUnsatisfiable: ScheduleAnyway
          labelSelector:
            matchLabels:
              {{- include "engram.labels" . | nindent 14 }}
      {{- with $own.nodeSelector }}
      nodeSelector:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $own.tolerations }}
      tolerations:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      containers:
        - name: engram
          image: {{ $values.image.repository }}:{{ $values.image.tag | default .root.Chart.AppVersion }}
          imagePullPolicy: {{ $values.image.pullPolicy }}
          securityContext:
            readOnlyRootFilesystem: true
            allowPrivilegeEscalation: false
            capabilities: { drop: [ALL] }
          env:
            - name: ENGRAM_ROLE
              value: {{ .role }}
            - name: ENGRAM_DRAIN_SECONDS
              value: {{ $values.drainSeconds | quote }}
            - name: ENGRAM_STOP_SECONDS
              value: {{ $values.stopSeconds | quote }}
            {{- if $values.metricsPort }}
            - name: ENGRAM_METRICS_PORT
              value: {{ $values.metricsPort | quote }}
            - name: ENGRAM_METRICS_HOST
              value: 0.0.0.0
            {{- end }}
            {{- range $name, $value := $values.settings }}
            {{- if ne (toString $value) "" }}
            - name: {{ $name }}
              value: {{ $value | quote }}
            {{- end }}
            {{- end }}
          envFrom:
            - secretRef:
                name: {{ required "existingSecret must name a Secret" $values.existingSecret }}
          ports:
            - name: http
              containerPort: 3000
            {{- if $values.metricsPort }}
            - name: metrics
              containerPort: {{ $values.metricsPort }}
            {{- end }}
          # Five minutes, because a start may create or change the tables.
          startupProbe:
            httpGet: { path: /v1/live, port: http }
            periodSeconds: 5
            failureThreshold: 60
          livenessProbe:
            httpGet: { path: /v1/live, port: http }
            periodSeconds: 10
            timeoutSeconds: 5
            failureThreshold: 6
          readinessProbe:
            httpGet: { path: /v1/ready, port: http }
            periodSeconds: 3
            timeoutSeconds: 5
            failureThreshold: 2
          resources:
            {{- toYaml $own.resources | nindent 12 }}
          volumeMounts:
            - name: data
              mountPath: /data
            - name: tmp
              mountPath: /tmp
      volumes:
        - name: data
          emptyDir: { sizeLimit: {{ $values.scratchSize }} }
        - name: tmp
          emptyDir: { sizeLimit: {{ $values.scratchSize }} }
{{- end }}

{{- define "engram.scaling" -}}
{{- $own := get .root.Values .role -}}
{{- if $own.autoscaling.enabled }}
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: {{ include "engram.name" . }}
  labels:
    {{- include "engram.labels" . | nindent 4 }}
spec:
  scaleTargetRef:
    apiVersion: apps/v1
    kind: Deployment
    name: {{ include "engram.name" . }}
  minReplicas: {{ $own.replicas }}
  maxReplicas: {{ $own.autoscaling.maxReplicas }}
  metrics:
    - type: Resource
      resource:
        name: cpu
        target:
          type: Utilization
          averageUtilization: {{ $own.autoscaling.targetPercent }}
{{- end }}
{{- end }}
