var i={en:()=>import("/assets/chunk-OO5O5P6Z.js"),pl:()=>import("/assets/chunk-HE4HI5AI.js")};export{i as a};
