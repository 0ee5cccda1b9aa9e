package outbound

import (
	"io"
	"net/http"
)

// Standard returns a client for libraries that make calls themselves. It calls the same addresses with the same limits,
// and follows no redirects. Only the first MaxAnswerBytes of a response are read.
func (c *Client) Standard() *http.Client {
	return &http.Client{Timeout: c.http.Timeout, CheckRedirect: c.http.CheckRedirect, Transport: standard{c}}
}

type standard struct{ client *Client }

// RoundTrip makes one call.
func (s standard) RoundTrip(request *http.Request) (*http.Response, error) {
	if !isCallable(request.URL.String()) {
		if request.Body != nil {
			_ = request.Body.Close() // as the interface demands
		}
		return nil, ErrURL
	}
	request = request.Clone(request.Context())
	request.Header.Set("User-Agent", s.client.agent)
	response, err := s.client.http.Transport.RoundTrip(request)
	if err != nil {
		return nil, err
	}
	response.Body = limitedBody{io.LimitReader(response.Body, MaxAnswerBytes), response.Body}
	return response, nil
}

type limitedBody struct {
	io.Reader
	io.Closer
}
