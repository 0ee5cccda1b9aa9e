// Reads a stream of server-sent events. The browser's EventSource cannot send an access token.
import type { EventlogView } from '../api/types'
import { Failure } from '../api/client'

const comeBackAfter = 2000 // milliseconds, as the server asks
const silentAtMost = 40_000 // milliseconds; the server says something every 15 seconds

// readStream passes on every event after the last one until the signal stops it. A stream that ends or breaks is opened
// again after the last event that came, and so is one that has been silent for too long. onConnected says whether it is
// open. It throws if the caller may not read it.
export async function readStream(
  open: (fromId: number, signal: AbortSignal) => Promise<Response>,
  last: number,
  onEvent: (event: EventlogView) => void,
  onConnected: (connected: boolean) => void,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const connection = new AbortController()
    const end = (): void => connection.abort()
    let silence: ReturnType<typeof setTimeout> | undefined
    const wait = (): void => {
      clearTimeout(silence)
      silence = setTimeout(end, silentAtMost)
    }
    signal.addEventListener('abort', end)
    addEventListener('offline', end) // a stream does not notice by itself
    try {
      const response = await open(last + 1, connection.signal)
      onConnected(true)
      wait()
      const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
      let rest = ''
      for (let part = await reader.read(); !part.done; part = await reader.read()) {
        wait()
        const blocks = (rest + part.value).split('\n\n')
        rest = blocks.pop()!
        for (const block of blocks) {
          const data = block
            .split('\n')
            .filter((line) => line.startsWith('data:'))
            .map((line) => line.slice(5))
            .join('\n')
          if (!data) continue
          const event = JSON.parse(data) as EventlogView
          last = event.id
          onEvent(event)
        }
      }
    } catch (error) {
      if (signal.aborted) return
      if (
        error instanceof Failure &&
        (error.kind === 'forbidden' || error.kind === 'ended' || error.kind === 'missing')
      )
        throw error
    } finally {
      clearTimeout(silence)
      signal.removeEventListener('abort', end)
      removeEventListener('offline', end)
      end()
    }
    if (signal.aborted) return
    onConnected(false)
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, comeBackAfter)
      signal.addEventListener(
        'abort',
        () => {
          clearTimeout(timer)
          resolve()
        },
        { once: true },
      )
    })
  }
}
