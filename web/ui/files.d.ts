// Files that the bundler turns into addresses or style sheets.
declare module '*.svg' {
  const address: string
  export default address
}
declare module '*.css' {}
