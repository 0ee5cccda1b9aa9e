import{a,b}from"/assets/chunk-WRX2YQCB.js";import"/assets/chunk-V6DW6RK4.js";import"/assets/chunk-3G5OWOCY.js";export{b as default,a as nameOf};
