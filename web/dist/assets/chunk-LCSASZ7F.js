import{a,b}from"/assets/chunk-AHUOODHM.js";import"/assets/chunk-ZUBLBL4H.js";import"/assets/chunk-GNJZMK5Q.js";export{b as default,a as nameOf};
