// The avatar of a customer. Only the customer and staff may read it, so it is read with their token.
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { call } from '../api/client'

// useAvatar returns an address that shows the picture at a path. version tells that there is another one.
export function useAvatar(path: string | undefined, version: number | undefined): string | undefined {
  const [address, setAddress] = useState<string>()
  useEffect(() => {
    if (!path) return setAddress(undefined)
    const stop = new AbortController()
    let made = ''
    call(path, { accept: 'image/*', signal: stop.signal })
      .then(async (response) => {
        const file = await response.blob()
        if (!stop.signal.aborted) setAddress((made = URL.createObjectURL(file)))
      })
      .catch(() => {
        if (!stop.signal.aborted) setAddress(undefined)
      })
    return () => {
      stop.abort()
      URL.revokeObjectURL(made)
    }
  }, [path, version])
  return address
}

function initials(name: string): string {
  const words = name.split(/\s+/).filter((word) => /^\p{L}/u.test(word))
  return [words[0], words.length > 1 ? words.at(-1) : '']
    .map((word) => [...(word ?? '')][0] ?? '')
    .join('')
    .toUpperCase()
}

// Avatar shows the picture of a customer, or their initials. It stands beside the name, so readers of screens skip it.
export function Avatar({
  path,
  version,
  name,
  large,
}: {
  path?: string
  version?: number
  name: string
  large?: boolean
}): JSX.Element {
  const address = useAvatar(path, version)
  return (
    <span class={large ? 'avatar large' : 'avatar'} aria-hidden="true">
      {address ? <img src={address} alt="" /> : initials(name)}
    </span>
  )
}
