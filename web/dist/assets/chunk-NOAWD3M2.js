import{a,b}from"/assets/chunk-DO6VWDBC.js";import"/assets/chunk-RD6CFOYX.js";import"/assets/chunk-2UAC5INH.js";export{b as default,a as nameOf};
