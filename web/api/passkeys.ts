// Passkeys in the browser. Binary values travel as base64url.
import type { AuthCreationOptions, AuthRequestOptions } from './types'

// isAvailable reports whether pages of this address can use passkeys: browsers need a secure page with a host name.
export const isAvailable = (): boolean =>
  'PublicKeyCredential' in window && isSecureContext && !/^[\d.]+$|:/.test(location.hostname)

function decode(text: string): BufferSource {
  return Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), (c) => c.charCodeAt(0))
}

function encode(value: ArrayBuffer | null): string {
  const binary = Array.from(new Uint8Array(value ?? new ArrayBuffer(0)), (b) => String.fromCharCode(b)).join('')
  return btoa(binary).replace(/\+/g, '-').replace(/\//g, '_').replace(/=/g, '')
}

const named = (ids: string[]): PublicKeyCredentialDescriptor[] =>
  ids.map((id) => ({ type: 'public-key', id: decode(id) }))

function asText(made: PublicKeyCredential, response: Record<string, string>): string {
  return JSON.stringify({
    id: made.id,
    rawId: encode(made.rawId),
    type: made.type,
    response,
    clientExtensionResults: {},
  })
}

// use asks the browser for a passkey, and returns its answer to the challenge; null if the user cancels.
export async function use(o: AuthRequestOptions): Promise<string | null> {
  const got = (await navigator.credentials
    .get({
      publicKey: {
        challenge: decode(o.challenge),
        rpId: o.rpId,
        allowCredentials: named(o.allowCredentials),
        timeout: o.timeout,
        userVerification: o.userVerification as UserVerificationRequirement,
      },
    })
    .catch(cancelled)) as PublicKeyCredential | null
  if (!got) return null
  const response = got.response as AuthenticatorAssertionResponse
  return asText(got, {
    clientDataJSON: encode(response.clientDataJSON),
    authenticatorData: encode(response.authenticatorData),
    signature: encode(response.signature),
    userHandle: encode(response.userHandle),
  })
}

// create makes a passkey, and returns what the server stores of it; null if the user cancels.
export async function create(o: AuthCreationOptions, program: string): Promise<string | null> {
  const made = (await navigator.credentials
    .create({
      publicKey: {
        challenge: decode(o.challenge),
        rp: { id: o.rpId, name: program },
        user: { id: decode(o.userHandle), name: o.userName, displayName: o.userName },
        pubKeyCredParams: o.algorithms.map((alg) => ({ type: 'public-key', alg })),
        timeout: o.timeout,
        excludeCredentials: named(o.excludeCredentials),
        authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
      },
    })
    .catch(cancelled)) as PublicKeyCredential | null
  if (!made) return null
  const response = made.response as AuthenticatorAttestationResponse
  return asText(made, {
    clientDataJSON: encode(response.clientDataJSON),
    attestationObject: encode(response.attestationObject),
  })
}

// cancelled makes null of what browsers throw when the user cancels, waits too long, or has the passkey already.
function cancelled(error: unknown): null {
  if (error instanceof DOMException) return null
  throw error
}
