// The look of a store: its name, logo and colors, which customers see in place of ours.
import { signal } from '@preact/signals'

// brand is the name of the program, empty until it is known and in the apps of the staff.
export const brand = signal('')

// logo is the address of the store's logo, empty without one.
export const logo = signal('')
