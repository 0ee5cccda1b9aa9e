import{a,b,c}from"/assets/chunk-XHXSZHGZ.js";import"/assets/chunk-GCCIBZ2H.js";import"/assets/chunk-XWNX4MWZ.js";import"/assets/chunk-2QKOAMRM.js";export{c as default,b as earned,a as grossOf};
