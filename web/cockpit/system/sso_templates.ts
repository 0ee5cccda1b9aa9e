// What is known of common identity providers, to fill in a new one. Words in capitals are for the user to replace.

export interface Template {
  name: string // as the provider calls itself; not translated
  issuer: string
  scopes: string
  groupClaim: string
}

export const templates = {
  google: { name: 'Google', issuer: 'https://accounts.google.com', scopes: 'profile email', groupClaim: 'hd' },
  entra: {
    name: 'Microsoft Entra ID',
    issuer: 'https://login.microsoftonline.com/TENANT/v2.0',
    scopes: 'profile email',
    groupClaim: 'roles',
  },
  keycloak: { name: 'Keycloak', issuer: 'https://HOST/realms/REALM', scopes: 'profile email', groupClaim: 'groups' },
  okta: { name: 'Okta', issuer: 'https://DOMAIN.okta.com', scopes: 'profile email groups', groupClaim: 'groups' },
  auth0: {
    name: 'Auth0',
    issuer: 'https://DOMAIN.auth0.com/',
    scopes: 'profile email',
    groupClaim: 'https://DOMAIN/groups',
  },
} satisfies Record<string, Template>

export type TemplateName = keyof typeof templates
