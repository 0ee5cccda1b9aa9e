package sso

var MayUsePassword = mayUsePassword
