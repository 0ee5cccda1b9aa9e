var i={en:()=>import("/assets/chunk-HPYMDOER.js"),pl:()=>import("/assets/chunk-BIAXZ6ZP.js")};export{i as a};
