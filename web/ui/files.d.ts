// Files that the bundler turns into addresses or style sheets.
declare module '*.svg' {
  const address: string
  export default address
}
declare module '*.css' {}

// The help pages by language: titles and HTML by name. The bundler makes these modules of help/<language>/*.md.
declare module 'help:languages' {
  const loaders: Record<
    import('../i18n/i18n').Language,
    () => Promise<{ default: Record<string, { title: string; html: string }> }>
  >
  export default loaders
}

// The texts of an app by language. The bundler makes these modules of i18n/*.json.
declare module 'texts:*' {
  const loaders: import('../i18n/i18n').TextLoaders
  export default loaders
}
