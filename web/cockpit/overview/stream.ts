// Reads a stream of server-sent events. The browser's EventSource cannot send an access token.
import type { EventlogView } from '../../api/types'
import { Failure } from '../../api/client'

const comeBackAfter = 2000 // milliseconds, as the server asks

// readStream passes on every event after the last one until the signal stops it. A stream that ends or breaks is opened
// again after the last event that came. It throws if the caller may not read it.
export async function readStream(
  open: (fromId: number) => Promise<Response>, last: number, onEvent: (event: EventlogView) => void, signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      const response = await open(last + 1)
      const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
      let rest = ''
      for (let part = await reader.read(); !part.done; part = await reader.read()) {
        const blocks = (rest + part.value).split('\n\n')
        rest = blocks.pop()!
        for (const block of blocks) {
          const data = block.split('\n').filter((line) => line.startsWith('data:')).map((line) => line.slice(5)).join('\n')
          if (!data) continue
          const event = JSON.parse(data) as EventlogView
          last = event.id
          onEvent(event)
        }
      }
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof Failure && (error.kind === 'forbidden' || error.kind === 'ended' || error.kind === 'missing')) throw error
    }
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, comeBackAfter)
      signal.addEventListener('abort', () => { clearTimeout(timer); resolve() }, { once: true })
    })
  }
}
