package main

import (
	"context"
	"net/http"
	"net/url"
	"time"

	"punchcard/lab/rest"
)

// adminPassword is the password of the administrator on every server of a drill.
const adminPassword = "drill-Correct-7"

var through = &http.Client{Timeout: time.Minute}

// call sends a form, or nothing with GET, and returns the status and the body of the response.
func call(ctx context.Context, method, address, token string, form url.Values) (int, []byte, error) {
	return rest.Call(ctx, through, method, address, token, form)
}

// expect sends a GET request that must have the status.
func expect(ctx context.Context, status int, address, token string) error {
	_, err := rest.Expect(ctx, through, status, address, token)
	return err
}

// logIn returns an access token of the administrator.
func logIn(ctx context.Context, base string) (string, error) {
	return rest.LogIn(ctx, through, base+"/api/admin/login_check", "admin", adminPassword)
}
