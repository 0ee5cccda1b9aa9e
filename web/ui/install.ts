// register starts the service worker of an app where the browser has them: over HTTPS or on the machine itself.
export function register(base: string): void {
  if ('serviceWorker' in navigator && isSecureContext) {
    void navigator.serviceWorker.register(`${base}/worker.js`, { scope: base }).catch(() => undefined)
  }
}
