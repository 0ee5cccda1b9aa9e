import{a,b,c}from"/assets/chunk-KXT3K66Y.js";import"/assets/chunk-BNECTE5P.js";import"/assets/chunk-OYPZYNWC.js";export{c as default,b as earned,a as grossOf};
