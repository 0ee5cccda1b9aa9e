import{a,b}from"/assets/chunk-65ZTX4XB.js";import"/assets/chunk-GCCIBZ2H.js";import"/assets/chunk-XWNX4MWZ.js";import"/assets/chunk-2QKOAMRM.js";export{b as default,a as nameOf};
