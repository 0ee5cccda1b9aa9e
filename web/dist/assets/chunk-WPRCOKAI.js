import{a,b,c}from"/assets/chunk-NEVLSPYY.js";import"/assets/chunk-RKPLLPXJ.js";import"/assets/chunk-RTIWG5M4.js";export{c as default,b as earned,a as grossOf};
