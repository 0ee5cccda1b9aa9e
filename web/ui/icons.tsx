// Icons, drawn on a grid of 20 in strokes of the text's colour. They are decoration: the text beside them or the label
// of their button says what they mean.
import type { JSX } from 'preact'

const paths = {
  overview: 'M3 10l7-6 7 6v7h-5v-4H8v4H3z',
  rewards: 'M3 8h14v3H3zM4.5 11v6h11v-6M10 8v9M10 8C7 8 5.5 6.5 6.5 5S10 5 10 8c0-3 2.5-4.5 3.5-3S13 8 10 8',
  customers:
    'M8 9.5a3 3 0 100-6 3 3 0 000 6zM2.5 16.5c0-3 2.5-5 5.5-5s5.5 2 5.5 5M13 3.8a3 3 0 010 5.4M15 12c1.6.7 2.5 2.4 2.5 4.5',
  points: 'M10 3a7 7 0 100 14 7 7 0 000-14zM10 6.5v7M7.5 8.5h3.7a1.5 1.5 0 010 3H7.5',
  sales: 'M5 3h10v14l-2.5-1.5L10 17l-2.5-1.5L5 17zM7.5 7h5M7.5 10h5',
  channels: 'M4 9v3l9 4V5zM4 9l9-4M13 8.5a2 2 0 010 4M6 12.8V17h2.5',
  shops:
    'M3.5 8L5 3.5h10L16.5 8M3.5 8v8.5h13V8M3.5 8c0 2 3.2 2 3.2 0 0 2 3.3 2 3.3 0 0 2 3.3 2 3.3 0 0 2 3.2 2 3.2 0M8 16.5v-4h4v4',
  system:
    'M10 7.5a2.5 2.5 0 100 5 2.5 2.5 0 000-5zM10 2.5v2.2M10 15.3v2.2M2.5 10h2.2M15.3 10h2.2M4.7 4.7l1.5 1.5M13.8 13.8l1.5 1.5M15.3 4.7l-1.5 1.5M6.2 13.8l-1.5 1.5',
  search: 'M9 3.5a5.5 5.5 0 100 11 5.5 5.5 0 000-11zM13 13l4 4',
  plus: 'M10 4v12M4 10h12',
  close: 'M5 5l10 10M15 5L5 15',
  check: 'M4 10.5l4 4 8-9',
  dot: 'M10 7a3 3 0 100 6 3 3 0 000-6z',
  menu: 'M3 5.5h14M3 10h14M3 14.5h14',
  more: 'M5 10h.01M10 10h.01M15 10h.01',
  down: 'M5 7.5l5 5 5-5',
  up: 'M5 12.5l5-5 5 5',
  left: 'M12.5 5l-5 5 5 5',
  right: 'M7.5 5l5 5-5 5',
  copy: 'M7 7h9v9H7zM4 13V4h9',
  help: 'M10 3a7 7 0 100 14 7 7 0 000-14zM8 8a2 2 0 114 0c0 1.5-2 1.7-2 3.2M10 14h.01',
  user: 'M10 9.5a3 3 0 100-6 3 3 0 000 6zM4 17c0-3.3 2.7-5.5 6-5.5s6 2.2 6 5.5',
  warning: 'M10 3.5L17.5 16.5h-15zM10 8.5v3.5M10 14.3h.01',
  info: 'M10 3a7 7 0 100 14 7 7 0 000-14zM10 9v5M10 6.5h.01',
  edit: 'M4 16l1-4 8.5-8.5 3 3L8 15z',
  trash: 'M4 6h12M8 6V4h4v2M5.5 6l1 11h7l1-11',
  download: 'M10 3.5v9M6.5 9l3.5 3.5L13.5 9M4 16.5h12',
  upload: 'M10 13V4M6.5 7L10 3.5 13.5 7M4 16.5h12',
  refresh: 'M15.5 8A6 6 0 105 13.5M16 4v4h-4',
  filter: 'M3 4.5h14l-5.5 6.5v5l-3-1.5V11z',
  card: 'M2.5 5h15v10h-15zM2.5 8.5h15',
  scan: 'M3 7V3.5h3.5M13.5 3.5H17V7M17 13v3.5h-3.5M6.5 16.5H3V13M6 7v6M9 7v6M11.5 7v6M14 7v6',
  coupon: 'M2.5 6h15v2.5a1.5 1.5 0 000 3V14h-15v-2.5a1.5 1.5 0 000-3zM12 6v8',
  bell: 'M5 14V9a5 5 0 0110 0v5l1.5 1.5h-13zM8.5 17.5h3',
  clock: 'M10 3a7 7 0 100 14 7 7 0 000-14zM10 6v4l3 2',
  lock: 'M5 9h10v8H5zM7 9V6.5a3 3 0 016 0V9',
  link: 'M8.5 11.5a3 3 0 004.2 0l3-3a3 3 0 00-4.2-4.2l-1 1M11.5 8.5a3 3 0 00-4.2 0l-3 3a3 3 0 004.2 4.2l1-1',
  signOut: 'M8 3.5H4v13h4M12 6.5L15.5 10 12 13.5M15.5 10H7.5',
  wifiOff: 'M3 3l14 14M4 9a9 9 0 013-1.9M13 7.1A9 9 0 0116 9M7 12a4.5 4.5 0 015-.9M10 15.5h.01',
  image: 'M3 4h14v12H3zM3 13l4-4 4 4 2-2 4 4M13 7.5h.01',
  star: 'M10 3l2.2 4.6 5 .7-3.6 3.5.9 5L10 14.4 5.5 16.8l.9-5L2.8 8.3l5-.7z',
  calendar: 'M3 5h14v12H3zM3 8.5h14M7 3v3.5M13 3v3.5',
  pause: 'M7 4v12M13 4v12',
  play: 'M6 4l10 6-10 6z',
  chart: 'M3 17h14M5.5 17v-5M10 17V5M14.5 17V9',
} as const

export type IconName = keyof typeof paths

// directed are the icons that are mirrored where a page reads from right to left.
const directed: readonly IconName[] = ['left', 'right', 'signOut']

export function Icon({ name, size = 20 }: { name: IconName; size?: number }): JSX.Element {
  return (
    <svg
      class={directed.includes(name) ? 'icon directed' : 'icon'}
      width={size}
      height={size}
      viewBox="0 0 20 20"
      fill="none"
      stroke="currentColor"
      stroke-width="1.5"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d={paths[name]} />
    </svg>
  )
}
