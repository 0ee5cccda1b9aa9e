import{a,b}from"/assets/chunk-5HJ4ZHQH.js";import"/assets/chunk-FI4OKXKF.js";import"/assets/chunk-AR45JPXD.js";import"/assets/chunk-XCRZNHHA.js";export{b as default,a as nameOf};
