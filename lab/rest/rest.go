// Package rest calls the API of a server, as the programs of a shop do.
package rest

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

// maxResponseBytes limits what is read of a response.
const maxResponseBytes = 64 << 20

// timeout is longer than any time limit of the server.
const timeout = time.Minute

// New returns an HTTP client that keeps a number of connections open.
func New(connections int) *http.Client {
	return &http.Client{Timeout: timeout, Transport: &http.Transport{
		MaxIdleConnsPerHost: connections, MaxIdleConns: connections, IdleConnTimeout: timeout,
	}}
}

// Call sends a form, or nothing if it is nil, and returns the status and the body of the response.
func Call(ctx context.Context, through *http.Client, method, address, token string, form url.Values) (
	status int, body []byte, err error) {
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
	response, err := through.Do(request)
	if err != nil {
		return 0, nil, err
	}
	defer response.Body.Close()
	body, err = io.ReadAll(io.LimitReader(response.Body, maxResponseBytes))
	return response.StatusCode, body, err
}

// Expect sends a GET request, whose response must have the status, and returns its body.
func Expect(ctx context.Context, through *http.Client, status int, address, token string) ([]byte, error) {
	got, body, err := Call(ctx, through, http.MethodGet, address, token, nil)
	if err == nil && got != status {
		err = fmt.Errorf("%s: status %d, want %d: %s", address, got, status, body)
	}
	return body, err
}

// Get reads a response in JSON, which must have status 200.
func Get(ctx context.Context, through *http.Client, address, token string, into any) error {
	body, err := Expect(ctx, through, http.StatusOK, address, token)
	if err == nil {
		err = json.Unmarshal(body, into)
	}
	return err
}

// LogIn returns an access token.
func LogIn(ctx context.Context, through *http.Client, address, name, password string) (string, error) {
	status, body, err := Call(ctx, through, http.MethodPost, address, "",
		url.Values{"username": {name}, "password": {password}})
	if err != nil {
		return "", err
	}
	var answer struct{ Token string }
	if err := json.Unmarshal(body, &answer); err != nil || answer.Token == "" {
		return "", fmt.Errorf("log-in of %s: status %d: %s", name, status, body)
	}
	return answer.Token, nil
}

// Make sends a form that makes something, and returns its id, which is the member of the response.
func Make(ctx context.Context, through *http.Client, address, token, member string, form url.Values) (string, error) {
	status, body, err := Call(ctx, through, http.MethodPost, address, token, form)
	if err == nil && status != http.StatusOK {
		err = fmt.Errorf("%s: status %d: %s", address, status, body)
	}
	if err != nil {
		return "", err
	}
	return ID(body, member)
}

// ID reads an id, which is a member of a response.
func ID(body []byte, member string) (string, error) {
	var answer map[string]any
	if err := json.Unmarshal(body, &answer); err != nil {
		return "", err
	}
	id, _ := answer[member].(string)
	if id == "" {
		return "", fmt.Errorf("no %s in %s", member, body)
	}
	return id, nil
}
