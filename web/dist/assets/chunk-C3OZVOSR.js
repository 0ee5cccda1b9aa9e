import{a,b,c}from"/assets/chunk-6G7R3OW7.js";import"/assets/chunk-RD6CFOYX.js";import"/assets/chunk-2UAC5INH.js";export{c as default,b as earned,a as grossOf};
