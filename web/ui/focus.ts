// Keeps the focus on the page: when what has it goes away or is switched off, such as the button that removed
// something, the nearest part of the page around it gets the focus. Otherwise readers of the screen lose their place.
const parts = 'dialog, section, form, [role=tabpanel], main'

export function keepFocus(): void {
  let around: Element[] = [] // what has the focus, and what it is in, the innermost first
  addEventListener('focusin', (event) => {
    around = []
    for (let e = event.target as Element | null; e; e = e.parentElement) around.push(e)
  })
  addEventListener('pointerdown', () => (around = []), true) // who points at something is there
  let waiting = false
  const check = (): void => {
    waiting = false
    const last = around[0]
    if (!last || (document.activeElement ?? document.body) !== document.body) return
    if (last.isConnected && !last.matches(':disabled')) return // the user has left it
    const part = around.find((e) => e.isConnected && e.matches(parts)) ?? document.getElementById('main')
    if (!(part instanceof HTMLElement)) return
    if (!part.hasAttribute('tabindex')) part.tabIndex = -1
    part.focus({ preventScroll: true })
  }
  // Two frames later the screen has moved the focus itself if it does.
  new MutationObserver(() => {
    if (waiting) return
    waiting = true
    requestAnimationFrame(() => requestAnimationFrame(check))
  }).observe(document.documentElement, { childList: true, subtree: true, attributeFilter: ['disabled'] })
}
