import{a,b}from"/assets/chunk-XXXURLFU.js";import"/assets/chunk-63BLCKJ3.js";import"/assets/chunk-HS37U33J.js";import"/assets/chunk-VZMS67QT.js";export{b as default,a as nameOf};
