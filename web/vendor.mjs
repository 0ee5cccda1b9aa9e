// Copies the libraries that the apps bundle from node_modules to vendor/, each with its licence. Run after a version in
// package.json changes: npm install && npm run vendor && go generate ./web
import { cpSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'

const files = JSON.parse(readFileSync(new URL('vendor/files.json', import.meta.url), 'utf8'))
for (const [library, names] of Object.entries(files)) {
  const target = new URL('vendor/' + library + '/', import.meta.url).pathname
  rmSync(target, { recursive: true, force: true })
  for (const name of names) {
    mkdirSync(dirname(join(target, name)), { recursive: true })
    cpSync(new URL('node_modules/' + library + '/' + name, import.meta.url).pathname, join(target, name))
  }
}
