// Files that the bundler turns into addresses or style sheets.
declare module '*.svg' {
  const address: string
  export default address
}
declare module '*.css' {}

// The texts of an app by language. The bundler makes these modules of i18n/*.json.
declare module 'texts:*' {
  const loaders: import('../i18n/i18n').TextLoaders
  export default loaders
}
