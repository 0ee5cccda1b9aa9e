// Reads codes with the camera: with the browser's own reader where it has one, else with one that is loaded here.
import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { t, type Key } from '../i18n/i18n'
import { Notice } from '../ui/basics'
import { Dialog } from '../ui/dialog'

// noCamera says why the camera is not offered, null if it is.
export function noCamera(): Key | null {
  if (!isSecureContext) return 'till.cameraNeedsHTTPS'
  return 'mediaDevices' in navigator && navigator.mediaDevices ? null : 'till.noCamera'
}

// Formats by their names in the Barcode Detection API.
const formats = ['qr_code', 'code_128', 'code_39', 'ean_13', 'ean_8']

interface Detector {
  detect(source: HTMLVideoElement): Promise<{ rawValue: string }[]>
}

interface DetectorClass {
  new (options: { formats: string[] }): Detector
  getSupportedFormats(): Promise<string[]>
}

type Read = (video: HTMLVideoElement) => Promise<string> | string

// reader returns a function that reads the code in a picture of the camera, an empty text if there is none.
async function reader(): Promise<Read> {
  const known = (window as unknown as { BarcodeDetector?: DetectorClass }).BarcodeDetector
  const supported = (await known?.getSupportedFormats().catch(() => [])) ?? []
  if (known && formats.every((f) => supported.includes(f))) {
    const detector = new known({ formats })
    return async (video) => (await detector.detect(video))[0]?.rawValue ?? ''
  }
  return (await import('./reader')).makeReader()
}

const pause = 100 // milliseconds between pictures, so that a tablet stays cool

export function CameraDialog({
  onCode,
  onClose,
}: {
  onCode: (code: string) => void
  onClose: () => void
}): JSX.Element {
  const video = useRef<HTMLVideoElement>(null)
  const [problem, setProblem] = useState<Key | null>(null)
  useEffect(() => {
    let stream: MediaStream | null = null
    let left = false
    const run = async (): Promise<void> => {
      stream = await navigator.mediaDevices.getUserMedia({
        video: { facingMode: 'environment', width: { ideal: 1280 } },
      })
      if (left) return stop()
      video.current!.srcObject = stream
      await video.current!.play()
      const read = await reader()
      while (!left) {
        const code = await read(video.current!)
        if (code && !left) return onCode(code)
        await new Promise((resolve) => setTimeout(resolve, pause))
      }
    }
    const stop = (): void => stream?.getTracks().forEach((track) => track.stop())
    run().catch((e: unknown) => {
      if (!left) setProblem((e as Error).name === 'NotAllowedError' ? 'till.cameraRefused' : 'till.noCamera')
    })
    return () => {
      left = true
      stop()
    }
  }, [])
  return (
    <Dialog title={t('till.camera')} onClose={onClose} wide>
      {problem ? (
        <Notice tone="warning" title={t(problem)}>
          {t('till.typeInstead')}
        </Notice>
      ) : (
        <>
          <video ref={video} class="camera" muted playsInline />
          <p class="muted">{t('till.cameraHelp')}</p>
        </>
      )}
    </Dialog>
  )
}
