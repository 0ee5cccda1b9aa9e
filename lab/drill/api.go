package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// adminPassword is the password of the administrator on every server of a drill.
const adminPassword = "drill-Correct-7"

var client = &http.Client{Timeout: time.Minute}

// call sends a form, or nothing with GET, and returns the status and the body of the response.
func call(ctx context.Context, method, address, token string, form url.Values) (int, []byte, error) {
	request, err := http.NewRequestWithContext(ctx, method, address, strings.NewReader(form.Encode()))
	if err != nil {
		return 0, nil, err
	}
	if form != nil {
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	response, err := client.Do(request)
	if err != nil {
		return 0, nil, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	return response.StatusCode, body, err
}

// expect sends a GET request that must have the status.
func expect(ctx context.Context, status int, address, token string) error {
	got, body, err := call(ctx, http.MethodGet, address, token, nil)
	if err == nil && got != status {
		err = fmt.Errorf("%s: status %d, want %d: %s", address, got, status, body)
	}
	return err
}

// logIn returns an access token of the administrator.
func logIn(ctx context.Context, base string) (string, error) {
	status, body, err := call(ctx, http.MethodPost, base+"/api/admin/login_check", "",
		url.Values{"username": {"admin"}, "password": {adminPassword}})
	if err != nil {
		return "", err
	}
	var answer struct{ Token string }
	if err := json.Unmarshal(body, &answer); err != nil || answer.Token == "" {
		return "", fmt.Errorf("log-in: status %d: %s", status, body)
	}
	return answer.Token, nil
}
