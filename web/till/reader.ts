// Reads QR codes and bar codes in JavaScript, for browsers without BarcodeDetector. Loaded when first needed.
import BinaryBitmap from '@zxing/library/esm/core/BinaryBitmap.js'
import HybridBinarizer from '@zxing/library/esm/core/common/HybridBinarizer.js'
import Code128Reader from '@zxing/library/esm/core/oned/Code128Reader.js'
import Code39Reader from '@zxing/library/esm/core/oned/Code39Reader.js'
import EAN13Reader from '@zxing/library/esm/core/oned/EAN13Reader.js'
import EAN8Reader from '@zxing/library/esm/core/oned/EAN8Reader.js'
import QRCodeReader from '@zxing/library/esm/core/qrcode/QRCodeReader.js'
import type Reader from '@zxing/library/esm/core/Reader.js'
import RGBLuminanceSource from '@zxing/library/esm/core/RGBLuminanceSource.js'

const maxWidth = 960 // pixels; more takes longer and reads no better

export function makeReader(): (video: HTMLVideoElement) => string {
  const readers: Reader[] = [
    new QRCodeReader(),
    new Code128Reader(),
    new EAN13Reader(),
    new EAN8Reader(),
    new Code39Reader(),
  ]
  const canvas = document.createElement('canvas')
  const context = canvas.getContext('2d', { willReadFrequently: true })!
  return (video) => {
    if (!video.videoWidth) return ''
    const scale = Math.min(1, maxWidth / video.videoWidth)
    const width = (canvas.width = Math.round(video.videoWidth * scale))
    const height = (canvas.height = Math.round(video.videoHeight * scale))
    context.drawImage(video, 0, 0, width, height)
    const source = new RGBLuminanceSource(grey(context.getImageData(0, 0, width, height)), width, height)
    const bitmap = new BinaryBitmap(new HybridBinarizer(source))
    for (const reader of readers) {
      try {
        return reader.decode(bitmap).getText()
      } catch {
        reader.reset() // there is no such code in the picture
      }
    }
    return ''
  }
}

function grey(picture: ImageData): Uint8ClampedArray {
  const { data } = picture
  const out = new Uint8ClampedArray(data.length / 4)
  for (let i = 0; i < out.length; i++) out[i] = (data[4 * i]! * 2 + data[4 * i + 1]! * 5 + data[4 * i + 2]!) >> 3
  return out
}
