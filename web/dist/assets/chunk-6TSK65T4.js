import{a,b}from"/assets/chunk-HSUDINKE.js";import"/assets/chunk-3ACAIHTZ.js";import"/assets/chunk-2HYLNR3K.js";import"/assets/chunk-EY3XLVWS.js";export{b as default,a as leave};
