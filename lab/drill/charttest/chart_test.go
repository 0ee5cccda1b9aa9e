// Package charttest tests the chart of packaging/chart. It has a module of its own, so that the libraries of Helm and
// Kubernetes stay out of that of the product: make drill DRILL=chart runs it.
package charttest

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"helm.sh/helm/v3/pkg/chart/loader"
	"helm.sh/helm/v3/pkg/chartutil"
	"helm.sh/helm/v3/pkg/engine"
	"helm.sh/helm/v3/pkg/lint"
	"helm.sh/helm/v3/pkg/lint/support"
	apps "k8s.io/api/apps/v1"
	batch "k8s.io/api/batch/v1"
	core "k8s.io/api/core/v1"
	networking "k8s.io/api/networking/v1"
	policy "k8s.io/api/policy/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"sigs.k8s.io/json"
	"sigs.k8s.io/yaml"
)

const chart = "../../../packaging/chart"

const (
	sqlite   = "settings: {public-url: 'https://loyalty.example.com', max-in-flight: 1000000, demo: false}"
	postgres = "secret: {name: punchcard, keys: [database, nats, master-key, metrics-token]}\nreplicas: 3\n" +
		"settings: {trusted-proxy: [10.0.0.0/8, 'fd00::/8']}\n" +
		"ingress: {enabled: true, host: loyalty.example.com, className: nginx, tlsSecret: loyalty-tls}\n" +
		"imagePullSecrets: [{name: registry}]\nnodeSelector: {disk: fast}\ntolerations: [{operator: Exists}]\n" +
		"affinity: {podAntiAffinity: {}}\npodAnnotations: {prometheus.io/scrape: 'true'}\n"
)

func TestLint(t *testing.T) {
	for name, text := range map[string]string{"defaults": "", "SQLite": sqlite, "PostgreSQL": postgres} {
		linter := lint.All(chart, parse(t, text), "default", true)
		for _, message := range linter.Messages {
			if message.Severity > support.InfoSev {
				t.Errorf("%s: %v", name, message)
			}
		}
	}
}

func parse(t *testing.T, text string) map[string]any {
	t.Helper()
	values := map[string]any{}
	if err := yaml.Unmarshal([]byte(text), &values); err != nil {
		t.Fatal(err)
	}
	return values
}

// render returns the files that Helm makes of the chart with the values, without empty ones.
func render(t *testing.T, text string) (map[string]string, error) {
	t.Helper()
	loaded, err := loader.Load(chart)
	if err != nil {
		t.Fatal(err)
	}
	release := chartutil.ReleaseOptions{Name: "shop", Namespace: "loyalty", IsInstall: true, Revision: 1}
	values, err := chartutil.ToRenderValues(loaded, parse(t, text), release, chartutil.DefaultCapabilities)
	if err != nil {
		return nil, err
	}
	files, err := engine.Render(loaded, values)
	maps.DeleteFunc(files, func(_, text string) bool { return strings.TrimSpace(text) == "" })
	return files, err
}

// objects are those of a rendered chart, by their types.
type objects struct {
	settings   core.ConfigMap
	deployment apps.Deployment
	service    core.Service
	job        *batch.Job
	budget     *policy.PodDisruptionBudget
	claim      *core.PersistentVolumeClaim
	ingress    *networking.Ingress
}

// decode renders the chart and reads each file strictly as the type that its kind names.
func decode(t *testing.T, text string) (o objects) {
	t.Helper()
	files, err := render(t, text)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		if filepath.Ext(name) != ".yaml" {
			continue
		}
		var kind meta.TypeMeta
		if err := yaml.Unmarshal([]byte(text), &kind); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		var to any
		switch kind.APIVersion + " " + kind.Kind {
		case "v1 ConfigMap":
			to = &o.settings
		case "apps/v1 Deployment":
			to = &o.deployment
		case "v1 Service":
			to = &o.service
		case "batch/v1 Job":
			o.job = &batch.Job{}
			to = o.job
		case "policy/v1 PodDisruptionBudget":
			o.budget = &policy.PodDisruptionBudget{}
			to = o.budget
		case "v1 PersistentVolumeClaim":
			o.claim = &core.PersistentVolumeClaim{}
			to = o.claim
		case "networking.k8s.io/v1 Ingress":
			o.ingress = &networking.Ingress{}
			to = o.ingress
		default:
			t.Fatalf("%s: unknown kind %v", name, kind)
		}
		object, err := yaml.YAMLToJSONStrict([]byte(text))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		strict, err := json.UnmarshalStrict(object, to)
		if err != nil || len(strict) > 0 {
			t.Errorf("%s: %v %v", name, err, strict)
		}
	}
	return o
}

// With SQLite there is one pod, whatever the values say, and it stops before the next one starts.
func TestSQLite(t *testing.T) {
	for _, text := range []string{"", sqlite, "replicas: 5", "secret: {name: a, keys: [smtp]}\nreplicas: 5"} {
		o := decode(t, text)
		if *o.deployment.Spec.Replicas != 1 || o.deployment.Spec.Strategy.Type != apps.RecreateDeploymentStrategyType {
			t.Errorf("%q: %v", text, o.deployment.Spec)
		}
		if o.job != nil || o.budget != nil || o.claim == nil {
			t.Fatalf("%q: %v %v %v", text, o.job, o.budget, o.claim)
		}
		volume := o.deployment.Spec.Template.Spec.Volumes[0].PersistentVolumeClaim
		if volume.ClaimName != o.claim.Name || o.claim.Annotations["helm.sh/resource-policy"] != "keep" {
			t.Errorf("%q: %v, %v", text, volume, o.claim)
		}
		check(t, o)
	}
	if o := decode(t, "volume: {claim: mine}"); o.claim != nil ||
		o.deployment.Spec.Template.Spec.Volumes[0].PersistentVolumeClaim.ClaimName != "mine" {
		t.Errorf("an existing claim: %v", o.deployment.Spec.Template.Spec.Volumes)
	}
}

// With PostgreSQL a hook upgrades the schema, and pods are replaced and evicted one by one.
func TestPostgreSQL(t *testing.T) {
	o := decode(t, postgres)
	if *o.deployment.Spec.Replicas != 3 || o.deployment.Spec.Strategy.RollingUpdate.MaxUnavailable.IntValue() != 0 {
		t.Errorf("%v", o.deployment.Spec)
	}
	if o.claim != nil || o.job == nil || o.budget == nil || o.ingress == nil {
		t.Fatalf("%v %v %v %v", o.claim, o.job, o.budget, o.ingress)
	}
	if o.job.Annotations["helm.sh/hook"] != "pre-install,pre-upgrade" {
		t.Errorf("the job is no hook: %v", o.job.Annotations)
	}
	if o.budget.Spec.MaxUnavailable.IntValue() != 1 || !selects(o.budget.Spec.Selector.MatchLabels, o.deployment) {
		t.Errorf("%v", o.budget.Spec)
	}
	job := labels.Set(o.job.Spec.Template.Labels)
	if labels.SelectorFromSet(o.service.Spec.Selector).Matches(job) {
		t.Error("the service sends requests to the hook")
	}
	var variables []string
	for _, v := range o.deployment.Spec.Template.Spec.Containers[0].Env {
		variables = append(variables, v.Name+"="+v.Value)
	}
	if want := []string{
		"PUNCHCARD_DATABASE_FILE=/secrets/database", "PUNCHCARD_NATS_FILE=/secrets/nats",
		"PUNCHCARD_MASTER_KEY_FILE=/secrets/master-key", "PUNCHCARD_METRICS_TOKEN_FILE=/secrets/metrics-token",
	}; !slices.Equal(variables, want) {
		t.Errorf("variables %q", variables)
	}
	backend := o.ingress.Spec.Rules[0].HTTP.Paths[0].Backend.Service
	if backend.Name != o.service.Name || backend.Port.Name != o.service.Spec.Ports[0].Name {
		t.Errorf("the ingress leads to %v", backend)
	}
	check(t, o)
	checkPod(t, o.job.Spec.Template.Spec)
}

// selects reports whether the labels select the pods of the deployment.
func selects(selector map[string]string, d apps.Deployment) bool {
	return len(selector) > 0 && labels.SelectorFromSet(selector).Matches(labels.Set(d.Spec.Template.Labels))
}

// check looks at what holds with either database.
func check(t *testing.T, o objects) {
	t.Helper()
	if !selects(o.service.Spec.Selector, o.deployment) || !selects(o.deployment.Spec.Selector.MatchLabels, o.deployment) {
		t.Errorf("the service selects %v", o.service.Spec.Selector)
	}
	pod := o.deployment.Spec.Template.Spec
	checkPod(t, pod)
	server := pod.Containers[0]
	if server.LivenessProbe.HTTPGet.Path != "/livez" || server.StartupProbe.HTTPGet.Path != "/livez" ||
		server.ReadinessProbe.HTTPGet.Path != "/readyz" {
		t.Error("a probe asks another path")
	}
	const drain = 20 // seconds
	if *pod.TerminationGracePeriodSeconds <= server.Lifecycle.PreStop.Sleep.Seconds+drain {
		t.Errorf("the pod is killed after %d s", *pod.TerminationGracePeriodSeconds)
	}
	program := os.Getenv("CHARTTEST_PROGRAM")
	if program == "" {
		t.Fatal("CHARTTEST_PROGRAM does not name the program")
	}
	file := filepath.Join(t.TempDir(), "punchcard.toml")
	if err := os.WriteFile(file, []byte(o.settings.Data["punchcard.toml"]), 0o600); err != nil {
		t.Fatal(err)
	}
	if output, err := exec.Command(program, "config", "--config", file).CombinedOutput(); err != nil {
		t.Errorf("the program refuses its settings: %v: %s", err, output)
	}
}

// checkPod requires what the restricted standard of Kubernetes asks of pods, and a root that cannot be written.
func checkPod(t *testing.T, pod core.PodSpec) {
	t.Helper()
	s := pod.SecurityContext
	if !*s.RunAsNonRoot || *s.RunAsUser != 65532 || *pod.AutomountServiceAccountToken || *pod.EnableServiceLinks ||
		s.SeccompProfile.Type != core.SeccompProfileTypeRuntimeDefault {
		t.Errorf("%v", s)
	}
	for _, c := range pod.Containers {
		s := c.SecurityContext
		if *s.AllowPrivilegeEscalation || !*s.ReadOnlyRootFilesystem || !slices.Equal(s.Capabilities.Drop,
			[]core.Capability{"ALL"}) {
			t.Errorf("%s: %v", c.Name, s)
		}
		if c.Resources.Requests.Cpu().IsZero() || c.Resources.Requests.Memory().IsZero() ||
			c.Resources.Limits.Memory().IsZero() {
			t.Errorf("%s: %v", c.Name, c.Resources)
		}
		for _, v := range c.Env {
			if !strings.HasSuffix(v.Name, "_FILE") || v.ValueFrom != nil {
				t.Errorf("%s: %s is no file", c.Name, v.Name)
			}
		}
		volumes := map[string]bool{}
		for _, v := range pod.Volumes {
			volumes[v.Name] = true
		}
		for _, m := range c.VolumeMounts {
			if !volumes[m.Name] {
				t.Errorf("%s mounts %s", c.Name, m.Name)
			}
		}
	}
}

// Settings reach the program with their types.
func TestSettings(t *testing.T) {
	o := decode(t, sqlite)
	for _, line := range []string{
		"max-in-flight = 1000000", "demo = false", `public-url = "https://loyalty.example.com"`,
	} {
		if !strings.Contains(o.settings.Data["punchcard.toml"]+"\n", line+"\n") {
			t.Errorf("no %s in %q", line, o.settings.Data)
		}
	}
}

// What cannot work is refused before anything is installed.
func TestRefused(t *testing.T) {
	for text, why := range map[string]string{
		"replica: 2": "replica", "replicas: 0": "replicas", "settings: {database: 'postgres://a'}": "database",
		"settings: {data: /tmp}": "data", "settings: {master-key: a}": "master-key", "settings: {limits: {a: 1}}": "limits",
		"secret: {keys: [database]}":             "secret.name is needed for secret.keys",
		"secret: {name: a, keys: [password]}":    "secret",
		"ingress: {enabled: true}":               "ingress.host is needed",
		"terminationGracePeriodSeconds: 5":       "terminationGracePeriodSeconds",
		"image: {repository: ''}":                "repository",
		"service: {type: ExternalName, port: 0}": "service",
	} {
		_, err := render(t, text)
		if err == nil || !strings.Contains(fmt.Sprint(err), why) {
			t.Errorf("%q: %v", text, err)
		}
	}
}
