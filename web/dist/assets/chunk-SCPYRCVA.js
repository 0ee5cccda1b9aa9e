var i={en:()=>import("/assets/chunk-FCCEFIVN.js"),pl:()=>import("/assets/chunk-GT4DPFSK.js")};export{i as a};
