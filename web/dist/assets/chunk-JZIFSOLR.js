import{a,b}from"/assets/chunk-EGKD6HWG.js";import"/assets/chunk-QKRHMZMO.js";import"/assets/chunk-CAF4QWOX.js";import"/assets/chunk-NRYEMUTC.js";export{b as default,a as nameOf};
