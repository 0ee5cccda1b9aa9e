package app_test

import (
	"path/filepath"
	"strings"
	"testing"

	"punchcard/app"
	"punchcard/app/servertest"
)

// Health asks over HTTPS although the certificate is for another name than the address.
func TestHealthOverHTTPS(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	config := app.Config{TLS: app.TLS{
		TLSCert: filepath.Join(folder, "cert.pem"), TLSKey: filepath.Join(folder, "key.pem"),
	}}
	newAuthority(t).issue(config.TLSCert, config.TLSKey)
	base := servertest.StartServer(t, "sqlite", func(c *app.Config) { c.TLS = config.TLS })
	for _, listen := range []string{strings.TrimPrefix(base, "https://"), strings.TrimPrefix(base, "https://127.0.0.1")} {
		config.Listen = listen
		if err := app.Health(t.Context(), config, "", true); err != nil {
			t.Errorf("%s: %v", listen, err)
		}
	}
	config.TLS = app.TLS{}
	if app.Health(t.Context(), config, "", true) == nil {
		t.Error("a server with HTTPS answers HTTP")
	}
}
