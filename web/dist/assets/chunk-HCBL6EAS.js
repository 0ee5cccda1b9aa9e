import{a,b}from"/assets/chunk-JE72OLVV.js";import"/assets/chunk-OT5IBVMU.js";import"/assets/chunk-MW2H7VTL.js";export{b as default,a as nameOf};
